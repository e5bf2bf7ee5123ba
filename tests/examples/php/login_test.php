<?php
// A login, tested with the helper in Hallpass.php and PHP alone: php login_test.php
declare(strict_types=1);

require __DIR__ . '/Hallpass.php';

const CALLBACK = 'https://shop.example/callback';
const SHOP = ['id' => 'shop', 'secret' => 's3cret', 'redirectUris' => [CALLBACK]];

/** Sends a form or, without one, a GET request with a token. */
function request(string $url, ?array $form = null, string $token = ''): array
{
    $http = $form === null
        ? ['header' => "Authorization: Bearer $token"]
        : ['method' => 'POST', 'header' => 'Content-Type: application/x-www-form-urlencoded', 'content' => http_build_query($form)];
    $text = file_get_contents($url, false, stream_context_create(['http' => $http + ['ignore_errors' => true]]));
    $status = (int) explode(' ', $http_response_header[0])[1];
    if ($status !== 200) {
        throw new UnexpectedValueException("$status: $text");
    }
    return json_decode($text, true);
}

/** Does what the application under test does; the lab plays the browser and the user. */
function logIn(Hallpass $hallpass, string $user): string
{
    $encode = fn (string $bytes) => rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    $verifier = $encode(random_bytes(32));
    $state = $encode(random_bytes(32));
    $callback = $hallpass->authorize("$hallpass->url/oauth2/authorize?" . http_build_query([
        'response_type' => 'code', 'client_id' => 'shop', 'redirect_uri' => CALLBACK, 'scope' => 'openid',
        'state' => $state, 'code_challenge' => $encode(hash('sha256', $verifier, true)), 'code_challenge_method' => 'S256',
    ]), $user);
    parse_str((string) parse_url($callback, PHP_URL_QUERY), $response);
    if ([$response['state'] ?? '', $response['iss'] ?? ''] !== [$state, $hallpass->url] || isset($response['error'])) {
        throw new UnexpectedValueException('the callback is wrong');
    }
    return request("$hallpass->url/oauth2/token", [
        'grant_type' => 'authorization_code', 'code' => $response['code'], 'redirect_uri' => CALLBACK,
        'code_verifier' => $verifier, 'client_id' => 'shop', 'client_secret' => 's3cret',
    ])['access_token'];
}

function expect(string $what, mixed $got, mixed $want): void
{
    $got === $want || throw new RuntimeException("$what: got " . json_encode($got) . ', want ' . json_encode($want));
}

function expectFailure(string $what, callable $act): void
{
    try {
        $act();
    } catch (UnexpectedValueException) {
        return;
    }
    throw new RuntimeException("$what should have failed");
}

$tests = [
    'a login works until the token expires' => function (Hallpass $hallpass): void {
        $token = logIn($hallpass, 'alice');
        expect('who is signed in', request("$hallpass->url/oauth2/userinfo", token: $token)['sub'], 'alice');
        $hallpass->lab('/clock', ['advance' => '2h']);
        expectFailure('an expired token', fn () => request("$hallpass->url/oauth2/userinfo", token: $token));
        $hallpass->assertClean();
    },
    'a hostile callback fails' => function (Hallpass $hallpass): void {
        foreach (['callback.wrong_state', 'callback.wrong_iss', 'callback.denied', 'token.server_error'] as $fault) {
            $hallpass->lab('/faults', ['name' => $fault, 'times' => 1]);
            expectFailure($fault, fn () => logIn($hallpass, 'alice'));
            $hallpass->assertNoIdleFaults();
        }
    },
    'a token needs no login' => function (Hallpass $hallpass): void {
        $token = $hallpass->mint(['sub' => 'bob', 'scope' => 'openid']);
        expect('the user', request("$hallpass->url/oauth2/userinfo", token: $token)['sub'], 'bob');
    },
    'an issuer at any host has its lab' => function (): void {
        $login = Hallpass::open(['issuer' => 'https://login.example']);
        expect('the issuer', $login->url, 'https://login.example');
        expect('the parts of a token', substr_count($login->mint(['sub' => 'bob']), '.'), 2);
        $login->close();
    },
];

foreach ($tests as $name => $test) {
    $hallpass = Hallpass::open(['clients' => [SHOP]]);
    try {
        $test($hallpass);
    } catch (Throwable $failure) {
        fwrite(STDERR, $hallpass->explain());
        throw $failure;
    }
    $hallpass->close();
    echo "ok: $name\n";
}
Hallpass::assertReached();
