// Package shop starts a lab in a container. Copy this file.
package shop

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

// HallpassContainer is a lab in a container, at the same address for the tests, the browser and its own tokens.
type HallpassContainer struct {
	testcontainers.Container
	Issuer string
	// LabToken is what calls of the lab's interface need: "Authorization: Bearer TOKEN".
	LabToken string
}

// StartHallpass starts a lab. The configuration holds what a configuration file would hold.
func StartHallpass(
	ctx context.Context, image string, port int, configuration map[string]any,
) (*HallpassContainer, error) {
	issuer, labToken := fmt.Sprintf("http://localhost:%d", port), rand.Text()
	settings := map[string]any{"issuer": issuer}
	maps.Copy(settings, configuration)
	text, err := json.Marshal(settings)
	if err != nil {
		return nil, err
	}
	container, err := testcontainers.Run(ctx, image,
		testcontainers.WithEnv(map[string]string{
			"HALLPASS_CONFIG_JSON": string(text),
			"HALLPASS_PORT":        fmt.Sprint(port),
			"HALLPASS_HOST":        "0.0.0.0",
			"HALLPASS_EXPOSE":      "yes",
			"HALLPASS_LAB_TOKEN":   labToken,
		}),
		testcontainers.WithExposedPorts(fmt.Sprintf("%d:%d", port, port)),
		testcontainers.WithWaitStrategy(wait.ForLog("hallpass ready ")),
	)
	if err != nil {
		return nil, err
	}
	return &HallpassContainer{container, issuer, labToken}, nil
}
