module guidepost.io/client

go 1.21
