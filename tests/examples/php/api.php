<?php
// An API that introspects each token (RFC 7662): php -S localhost:3001 api.php
declare(strict_types=1);

/** Returns the status, and the error of the challenge. */
function check(string $authorization): array
{
    if (!preg_match('/^Bearer ([\w.~+\/-]+=*)$/i', $authorization, $match)) {
        return [401, 'invalid_token'];
    }
    $credentials = base64_encode('demo-service:demo-service-secret');
    $http = [
        'method' => 'POST',
        'header' => "Authorization: Basic $credentials\r\nContent-Type: application/x-www-form-urlencoded",
        'content' => http_build_query(['token' => $match[1]]),
        'ignore_errors' => true,
    ];
    $text = file_get_contents(getenv('ISSUER') . '/oauth2/introspect', false, stream_context_create(['http' => $http]));
    $claims = json_decode((string) $text, true);
    $isMeant = in_array(getenv('AUDIENCE'), (array) ($claims['aud'] ?? []), true);
    // A token that is bound to a key needs its proof, which this API does not take.
    if (($claims['active'] ?? false) !== true || !$isMeant || isset($claims['cnf'])) {
        return [401, 'invalid_token'];
    }
    $isAllowed = in_array('orders:read', explode(' ', $claims['scope'] ?? ''), true);
    return $isAllowed ? [200, null] : [403, 'insufficient_scope'];
}

[$status, $error] = check($_SERVER['HTTP_AUTHORIZATION'] ?? '');
http_response_code($status);
if ($error !== null) {
    header("WWW-Authenticate: Bearer error=\"$error\"");
    http_response_code($status);
}
