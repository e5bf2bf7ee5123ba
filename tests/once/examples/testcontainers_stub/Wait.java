package org.testcontainers.containers.wait.strategy;

import java.util.regex.Pattern;

public class Wait {
    public static Pattern forLogMessage(String message, int times) {
        return Pattern.compile("(?s)" + message);
    }
}
