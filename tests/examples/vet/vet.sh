# Needs vet-baseline.json: the same command with --write-baseline in place of --baseline writes it.
# Fails if the tests would miss an attack that they did not miss before.
npx hallpass vet --sign-in alice --env ISSUER={issuer} --jobs 2 \
  --baseline vet-baseline.json --junit vet.xml -- node --test shop.test.ts
