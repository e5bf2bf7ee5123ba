# An issuer of its own for each test, in one lab for all of them. Copy it; it needs Ruby alone, with
# any test runner. HALLPASS_URL and HALLPASS_LAB_TOKEN name a lab that is already running.
require 'json'
require 'net/http'

class Hallpass
  attr_reader :url

  # Opens an issuer, with the settings of a tenant: Hallpass.open(clients: [...])
  def self.open(settings = {})
    @server ||= ENV['HALLPASS_URL'] || start
    new(@server, send_json('POST', "#{@server}/lab/tenants", settings))
  end

  def initialize(server, tenant)
    @url = tenant['issuer']
    @lab = tenant['lab']
    @tenant = "#{server}/lab/tenants/#{tenant['id']}"
  end

  # Removes the issuer.
  def close
    Hallpass.send_json('DELETE', @tenant)
  end

  # Calls the lab: hallpass.lab('/clock', advance: '2h'), or with another method:
  # hallpass.lab('PUT /users/zoe', name: 'zoe'). GET /lab/openapi.json lists all paths.
  def lab(path, body = {})
    method, rest = path.start_with?('/') ? ['POST', path] : path.split(' ', 2)
    Hallpass.send_json(method, "#{@lab}#{rest}", body)
  end

  # Returns a token, without a flow: hallpass.mint(sub: 'alice', expiresIn: '-1m')
  def mint(options)
    lab('/tokens', options).fetch('token')
  end

  # Signs a user in at an authorization URL, gives consent, and returns the callback.
  def authorize(url, user)
    lab('/authorize', url: url, user: user).fetch('callback')
  end

  # Fails if the client under test broke a rule; with refused: true, also if it was refused.
  def assert_clean(options = {})
    response = Hallpass.fetch('POST', "#{@lab}/assert-clean", 'text/plain', options)
    return if response.is_a?(Net::HTTPSuccess)

    @explained = true
    raise "hallpass: #{response.body}"
  end

  # Whether the test has failed with what the lab saw.
  def explained?
    @explained
  end

  # Returns what the lab refused, with the rule, the request, the fix and a diagram; if it refused
  # nothing, the diagrams of the newest flows.
  def explain
    response = Hallpass.fetch('POST', "#{@lab}/assert-clean", 'text/plain', { refused: true })
    response = Hallpass.fetch('GET', "#{@lab}/flows", 'text/plain') if response.is_a?(Net::HTTPSuccess)
    response.body.force_encoding('UTF-8')
  end

  def self.send_json(method, url, body = {})
    response = fetch(method, url, 'application/json', body)
    result = JSON.parse(response.body)
    response.is_a?(Net::HTTPSuccess) or raise "hallpass: #{method} #{url}: #{result['error_description']}"
    result
  end

  def self.fetch(method, url, accept, body = {})
    uri = URI(url)
    headers = { 'Content-Type' => 'application/json', 'Accept' => accept }
    token = ENV['HALLPASS_LAB_TOKEN']
    headers['Authorization'] = "Bearer #{token}" if token
    text = body.to_json unless %w[GET DELETE].include?(method)
    http = Net::HTTP.new(uri.host, uri.port)
    http.use_ssl = uri.scheme == 'https'
    http.send_request(method, uri.request_uri, text, headers)
  end

  def self.start
    command = %w[hallpass lab --port 0 --log-level error]
    command << '--with-parent' unless Gem.win_platform? # there it cannot see that Ruby was killed
    output = IO.popen(command)
    at_exit { Process.kill('TERM', output.pid) }
    ready = output.find { |line| line.start_with?('hallpass ready ') } or raise 'hallpass ended before it was ready'
    ready.split.last
  end
  private_class_method :start

  # For a test case of Minitest: include Hallpass::InTests, and open_hallpass(clients: [...]) in a test
  # or in setup. It closes the issuer after the test, and explains one that failed.
  module InTests
    def open_hallpass(settings = {})
      @hallpass = Hallpass.open(settings)
    end

    def after_teardown
      super
      return unless @hallpass

      unless passed? || skipped? || @hallpass.explained?
        failures << Minitest::Assertion.new("What the lab saw:\n#{@hallpass.explain}").tap do |seen|
          seen.set_backtrace(failure.backtrace)
        end
      end
      @hallpass.close
    end
  end
end
