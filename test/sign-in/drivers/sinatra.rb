# The route of the block, with what Sinatra has.
ENV_USER = [nil]
SET = {}
def get(_path, &block) = ($route = block)
def session = ENV_USER[0] ? { user_id: ENV_USER[0] } : {}
def headers(more) = SET.merge!(more)
def halt(status, body) = throw(:halt, [status, body])

load "./app.rb"
ARGV.each do |user|
  ENV_USER[0] = user.empty? ? nil : user
  status, body = catch(:halt) { [200, $route.call] }
  puts "#{status} [#{SET['Cache-Control']}] #{body}"
end
