<?php
// A drill of the API in api.php: what it must refuse, and accept. PHP alone: php api_test.php
declare(strict_types=1);

require __DIR__ . '/Hallpass.php';

$hallpass = Hallpass::open();
$socket = stream_socket_server('tcp://localhost:0');
$address = stream_socket_get_name($socket, false);
fclose($socket);
$port = substr($address, strrpos($address, ':') + 1);
$url = "http://localhost:$port/orders";
$env = ['ISSUER' => $hallpass->url, 'AUDIENCE' => $url] + getenv();
$quiet = [1 => ['file', '/dev/null', 'w'], 2 => ['file', '/dev/null', 'w']];
$server = proc_open([PHP_BINARY, '-S', "localhost:$port", __DIR__ . '/api.php'], $quiet, $pipes, null, $env);
for ($attempt = 0; $attempt < 100 && !@fsockopen('localhost', (int) $port); $attempt++) {
    usleep(50_000);
}
try {
    $result = $hallpass->lab('/drill', ['api' => ['request' => $url, 'audience' => $url, 'scope' => 'orders:read']]);
} finally {
    proc_terminate($server);
    $hallpass->close();
}
$violations = array_filter($result['findings'], fn (array $each) => in_array($each['grade'] ?? '', ['F', 'D', 'C']));
foreach ($violations as ['id' => $id, 'received' => $received]) {
    echo "$id: $received\n";
}
exit($violations === [] ? 0 : 1);
