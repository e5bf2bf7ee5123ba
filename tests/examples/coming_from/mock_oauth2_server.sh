#!/bin/sh
# In place of mock-oauth2-server, with its settings as they are.
JSON_CONFIG_PATH=config.json SERVER_PORT=8080 hallpass lab --compat mock-oauth2-server
