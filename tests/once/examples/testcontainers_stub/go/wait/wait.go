// Package wait has the part of Testcontainers that our starter uses.
package wait

// Strategy is the text to wait for.
type Strategy interface{ Text() string }

type log string

func (text log) Text() string { return string(text) }

// ForLog waits for a text in the output.
func ForLog(text string) Strategy { return log(text) }
