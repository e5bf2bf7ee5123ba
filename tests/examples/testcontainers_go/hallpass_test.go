package shop

import (
	"encoding/json"
	"net/http"
	"os"
	"strconv"
	"testing"

	"github.com/testcontainers/testcontainers-go"
)

// Our CI has no Docker. It runs this test with a stand-in for Testcontainers, which starts the binary.
func TestStartsAtTheAddressThatItsMetadataNames(t *testing.T) {
	port, err := strconv.Atoi(os.Getenv("LAB_PORT"))
	if err != nil {
		port = 9000
	}
	lab, err := StartHallpass(t.Context(), "hallpass", port, map[string]any{"signIn": "alice"})
	if err != nil {
		t.Fatal(err)
	}
	testcontainers.CleanupContainer(t, lab)
	response, err := http.Get(lab.Issuer + "/.well-known/openid-configuration")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var metadata struct{ Issuer string }
	if err := json.NewDecoder(response.Body).Decode(&metadata); err != nil || metadata.Issuer != lab.Issuer {
		t.Fatal(metadata.Issuer, err)
	}
	users, err := http.NewRequest("GET", lab.Issuer+"/lab/users", nil)
	if err != nil {
		t.Fatal(err)
	}
	users.Header.Set("Authorization", "Bearer "+lab.LabToken)
	if response, err = http.DefaultClient.Do(users); err != nil || response.StatusCode != 200 {
		t.Fatal(response, err)
	}
}
