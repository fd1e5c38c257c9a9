package io.guidepost.handle.xml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Documents that are read, and those that would lead elsewhere or grow. */
class XmlElementTest {
    private static XmlElement read(String text) throws Malformed {
        return XmlElement.read(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aDocumentIsReadWhole() throws Malformed {
        XmlElement root = read("\n<?xml version='1.0' encoding='ISO-8859-1'?><!-- c --><a x='1' n:y='&amp;ü' xmlns:n='u:v'>"
                + " t<![CDATA[<]]> <b/><n:B z=''/> u<?p q?></a>\n");
        assertThat(root.name()).isEqualTo("a");
        assertThat(root.attributes()).containsEntry("x", "1").containsEntry("y", "&ü").hasSize(2);
        assertThat(root.text()).isEqualTo("t<  u");
        assertThat(root.children("b")).hasSize(2);
        assertThat(root.children().getLast().attribute("z")).contains("");
        assertThat(root.attribute("nosuch")).isEmpty();
    }

    @Test
    void nothingOutsideOfTheDocumentIsRead(@TempDir Path folder) throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "secret");
        for (String each : List.of(
                "<!DOCTYPE a SYSTEM '" + secret.toUri() + "'><a/>",
                "<!DOCTYPE a [<!ENTITY e SYSTEM '" + secret.toUri() + "'>]><a>&e;</a>",
                "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>",
                "<!DOCTYPE a><a/>",
                "<a>&e;</a>",
                "<a x='&e;'/>")) {
            assertThatThrownBy(() -> read(each)).as(each).isInstanceOf(Malformed.class);
        }
    }

    @Test
    void documentsAreBounded() throws Malformed {
        assertThat(read("<a>" + "<b/>".repeat(XmlElement.ELEMENTS_MAX - 1) + "</a>").children())
                .hasSize(XmlElement.ELEMENTS_MAX - 1);
        assertThatThrownBy(() -> read("<a>" + "<b/>".repeat(XmlElement.ELEMENTS_MAX) + "</a>"))
                .isInstanceOf(Malformed.class);
        int depth = XmlElement.DEPTH_MAX;
        assertThat(read("<a>".repeat(depth) + "</a>".repeat(depth)).children()).hasSize(1);
        assertThatThrownBy(() -> read("<a>".repeat(depth + 1) + "</a>".repeat(depth + 1)))
                .isInstanceOf(Malformed.class);
        assertThatThrownBy(() -> read("<a>" + " ".repeat(XmlElement.DOCUMENT_BYTES_MAX) + "</a>"))
                .isInstanceOf(Malformed.class);
        StringBuilder attributes = new StringBuilder("<a");
        for (int i = 0; i <= XmlElement.ATTRIBUTES_MAX; i++) {
            attributes.append(" x").append(i).append("='1'");
        }
        assertThatThrownBy(() -> read(attributes + "/>")).isInstanceOf(Malformed.class);
    }

    @Test
    void whatIsNoDocumentIsMalformed() {
        for (String each : List.of("", " ", "x", "<a>", "<a></b>", "<a/><b/>", "<a x='1' x='2'/>", "<a/>x", "\0")) {
            assertThatThrownBy(() -> read(each)).as(each).isInstanceOf(Malformed.class);
        }
        assertThatThrownBy(() -> XmlElement.read(new byte[] {'<', 'a', '>', -1, '<', '/', 'a', '>'}))
                .isInstanceOf(Malformed.class);
        SplittableRandom random = new SplittableRandom(10);
        byte[] good = "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY e 'x'>]><a x='&lt;'><![CDATA[x]]>&#65;<b y=''/></a>"
                .getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = good.clone();
            for (int j = random.nextInt(4); j >= 0; j--) {
                bytes[random.nextInt(bytes.length)] = good[random.nextInt(good.length)];
            }
            try {
                XmlElement.read(bytes);
            } catch (Malformed e) {
                assertThat(e.offset()).isNotNegative();
            }
        }
    }
}
