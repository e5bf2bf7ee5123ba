<?php
declare(strict_types=1);

/**
 * An issuer of its own for each test, in one lab for all of them. Copy it; it needs PHP alone, with
 * any test runner. HALLPASS_URL and HALLPASS_LAB_TOKEN name a lab that is already running. Tests of
 * PHPUnit use the trait at the end.
 */
final class Hallpass
{
    private static ?string $server = null;

    /** @var resource|null the lab; it ends when PHP closes it */
    private static $process = null;

    /** @var array<int, resource> */
    private static array $pipes = [];

    /** Whether a test has asked for a clean report. */
    private static bool $wantsClean = false;

    /** Whether the test has failed with what the lab saw. */
    public bool $isExplained = false;

    private function __construct(
        public readonly string $url,
        private readonly string $lab,
        private readonly string $tenant,
    ) {
    }

    /**
     * Opens an issuer, with the settings of a tenant: `Hallpass::open(['clients' => [...]])`.
     *
     * @param array<string, mixed> $settings
     */
    public static function open(array $settings = []): self
    {
        self::$server ??= getenv('HALLPASS_URL') ?: self::start();
        $tenant = self::send('POST', self::$server . '/lab/tenants', $settings);
        $path = self::$server . '/lab/tenants/' . $tenant['id'];
        return new self($tenant['issuer'], $tenant['lab'], $path);
    }

    /** Removes the issuer. */
    public function close(): void
    {
        self::send('DELETE', $this->tenant);
    }

    /**
     * Calls the lab: `$hallpass->lab('/clock', ['advance' => '2h'])`, or with another method:
     * `$hallpass->lab('/users/zoe', ['name' => 'zoe'], 'PUT')`. GET /lab/openapi.json lists all paths.
     *
     * @param array<string, mixed> $body
     */
    public function lab(string $path, array $body = [], string $method = 'POST'): mixed
    {
        return self::send($method, "$this->lab$path", $body);
    }

    /**
     * Returns a token, without a flow: `$hallpass->mint(['sub' => 'alice', 'expiresIn' => '-1m'])`.
     *
     * @param array<string, mixed> $options
     */
    public function mint(array $options): string
    {
        return $this->lab('/tokens', $options)['token'];
    }

    /** Signs a user in at an authorization URL, gives consent, and returns the callback. */
    public function authorize(string $url, string $user): string
    {
        return $this->lab('/authorize', ['url' => $url, 'user' => $user])['callback'];
    }

    /**
     * Fails if the client under test broke a rule; with `['refused' => true]`, also if it was refused.
     *
     * @param array<string, bool> $options
     */
    public function assertClean(array $options = []): void
    {
        self::$wantsClean = true;
        [$isClean, $why] = self::fetch('POST', "$this->lab/assert-clean", 'text/plain', $options);
        if (!$isClean) {
            $this->isExplained = true;
            throw new RuntimeException("hallpass: $why");
        }
    }

    /**
     * Returns what the lab refused, with the rule, the request, the fix and a diagram; if it refused
     * nothing, the diagrams of the newest flows. For a test that has failed.
     */
    public function explain(): string
    {
        [$isClean, $why] = self::fetch('POST', "$this->lab/assert-clean", 'text/plain', ['refused' => true]);
        return $isClean ? self::fetch('GET', "$this->lab/flows", 'text/plain')[1] : $why;
    }

    /** After the last test: fails if a report was clean because no request reached the lab. */
    public static function assertReached(): void
    {
        $report = self::$wantsClean ? self::send('GET', self::$server . '/lab/report') : [];
        if (isset($report['problem'])) {
            throw new RuntimeException($report['problem']);
        }
    }

    /** Fails if a fault was never met, so that its test proves nothing. */
    public function assertNoIdleFaults(): void
    {
        $idle = $this->lab('/report', method: 'GET')['idleFaults'];
        if ($idle !== []) {
            throw new RuntimeException('These faults were never met: ' . json_encode($idle));
        }
    }

    private static function start(): string
    {
        // Without the log, because a full pipe would stop the lab.
        $command = ['hallpass', 'lab', '--port', '0', '--log-level', 'error'];
        if (PHP_OS_FAMILY !== 'Windows') {
            $command[] = '--with-parent'; // Windows does not show that PHP was killed
        }
        self::$process = proc_open($command, [1 => ['pipe', 'w'], 2 => STDERR], self::$pipes);
        register_shutdown_function(static fn () => proc_terminate(self::$process));
        while (($line = fgets(self::$pipes[1])) !== false) {
            if (str_starts_with($line, 'hallpass ready ')) {
                return trim(strrchr($line, ' '));
            }
        }
        throw new RuntimeException('hallpass ended before it was ready');
    }

    /** @param array<string, mixed> $body */
    private static function send(string $method, string $url, array $body = []): mixed
    {
        [$isFine, $text] = self::fetch($method, $url, 'application/json', $body);
        $response = json_decode($text, true, flags: JSON_THROW_ON_ERROR);
        if (!$isFine) {
            throw new RuntimeException("hallpass: $method $url: {$response['error_description']}");
        }
        return $response;
    }

    /**
     * @param array<string, mixed> $body
     * @return array{bool, string}
     */
    private static function fetch(string $method, string $url, string $accept, array $body = []): array
    {
        $headers = ['Content-Type: application/json', "Accept: $accept"];
        if ($token = getenv('HALLPASS_LAB_TOKEN')) {
            $headers[] = "Authorization: Bearer $token";
        }
        $http = ['method' => $method, 'header' => $headers, 'ignore_errors' => true];
        if ($method !== 'GET' && $method !== 'DELETE') {
            $http['content'] = json_encode((object) $body, JSON_THROW_ON_ERROR);
        }
        $text = file_get_contents($url, false, stream_context_create(['http' => $http]));
        if ($text === false) {
            throw new RuntimeException("hallpass: $url does not respond");
        }
        return [str_contains($http_response_header[0], ' 200'), $text];
    }
}

/**
 * For a test case of PHPUnit: `use WithHallpass;` and `$hallpass = $this->openHallpass([...])` in a
 * test or in setUp. It closes the issuer after the test, and explains one that failed.
 */
trait WithHallpass
{
    private ?Hallpass $hallpass = null;

    /** @param array<string, mixed> $settings */
    protected function openHallpass(array $settings = []): Hallpass
    {
        return $this->hallpass = Hallpass::open($settings);
    }

    /** @after */
    #[PHPUnit\Framework\Attributes\After]
    public function closeHallpass(): void
    {
        // Version 10 gave these methods other names.
        [$hasFailed, $test] = method_exists($this, 'status')
            ? [$this->status()->isFailure() || $this->status()->isError(), $this->name()]
            : [$this->hasFailed(), $this->getName()];
        if ($hasFailed && $this->hallpass?->isExplained === false) {
            fwrite(STDERR, "\nWhat the lab saw in $test:\n" . $this->hallpass->explain() . "\n");
        }
        $this->hallpass?->close();
        $this->hallpass = null;
    }
}
