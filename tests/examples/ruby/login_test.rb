# A login with OmniAuth, without a browser: ruby login_test.rb
# It needs what Debian has: apt-get install ruby-omniauth-openid-connect ruby-minitest
require 'minitest/autorun'
require_relative 'hallpass'
require_relative 'shop'

class LoginTest < Minitest::Test
  include Hallpass::InTests

  CALLBACK = 'http://shop.example/auth/hallpass/callback'
  # Debian's version sends no code_challenge, unlike the strategy that Rails applications install.
  CLIENT = { id: 'shop', secret: 'a-secret-of-32-letters-and-digits', redirectUris: [CALLBACK], pkce: 'optional' }.freeze

  def setup
    OmniAuth.config.request_validation_phase = nil # the test has no form with a token
    @hallpass = open_hallpass(clients: [CLIENT])
    @browser = Rack::MockRequest.new(shop(@hallpass.url))
  end

  def test_signs_in
    started = @browser.post('http://shop.example/auth/hallpass')
    callback = @hallpass.authorize(started['Location'], 'alice')
    shown = @browser.get(callback, 'HTTP_COOKIE' => started['Set-Cookie'][/[^;]+/])
    assert_equal 'Alice Adler', shown.body
    @hallpass.assert_clean
  end
end
