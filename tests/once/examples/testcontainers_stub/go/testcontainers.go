// Package testcontainers runs the binary in place of a container, with the environment and the wait strategy of one.
package testcontainers

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/testcontainers/testcontainers-go/wait"
)

// Container is what was started.
type Container interface {
	Terminate(ctx context.Context) error
}

// DockerContainer is the process.
type DockerContainer struct {
	command *exec.Cmd
	message string
}

// Terminate ends the process.
func (c *DockerContainer) Terminate(context.Context) error {
	err := c.command.Process.Signal(os.Interrupt)
	return errors.Join(err, c.command.Wait())
}

// ContainerCustomizer changes what will be started.
type ContainerCustomizer func(c *DockerContainer) error

// WithEnv sets variables of the environment.
func WithEnv(variables map[string]string) ContainerCustomizer {
	return func(c *DockerContainer) error {
		for name, value := range variables {
			c.command.Env = append(c.command.Env, name+"="+value)
		}
		return nil
	}
}

// WithExposedPorts checks that the port is the same inside and outside, as it is for a process.
func WithExposedPorts(ports ...string) ContainerCustomizer {
	return func(*DockerContainer) error {
		for _, port := range ports {
			if host, inside, found := strings.Cut(port, ":"); !found || host != inside {
				return errors.New("the ports differ: " + port)
			}
		}
		return nil
	}
}

// WithWaitStrategy sets what to wait for.
func WithWaitStrategy(strategies ...wait.Strategy) ContainerCustomizer {
	return func(c *DockerContainer) error {
		c.message = strategies[0].Text()
		return nil
	}
}

// Run starts the binary, and waits for the text.
func Run(ctx context.Context, _ string, options ...ContainerCustomizer) (*DockerContainer, error) {
	c := &DockerContainer{command: exec.Command(os.Getenv("LAB_BINARY"), "lab")}
	c.command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
	for _, customize := range options {
		if err := customize(c); err != nil {
			return nil, err
		}
	}
	output, err := c.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.command.Start(); err != nil {
		return nil, err
	}
	for lines := bufio.NewScanner(output); lines.Scan(); {
		if strings.Contains(lines.Text(), c.message) {
			return c, nil
		}
	}
	return nil, errors.New("it ended before it was ready")
}

// CleanupContainer ends the container after the test.
func CleanupContainer(t testing.TB, c Container) {
	t.Cleanup(func() {
		if err := c.Terminate(context.Background()); err != nil {
			t.Error(err)
		}
	})
}
