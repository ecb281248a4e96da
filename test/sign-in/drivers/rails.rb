# The controller of the block, with what Rails has. Rails itself loads these two.
require "json"
require "openssl"

Answer = Struct.new(:headers)
class ApplicationController
  attr_accessor :current_user
  attr_reader :answer

  def response = (@response ||= Answer.new({}))
  def render(json:, status: :ok) = (@answer = [status == :unauthorized ? 401 : 200, JSON.generate(json)])
end

load "./app/controllers/clip_sessions_controller.rb"
ARGV.each do |user|
  controller = ClipSessionsController.new
  controller.current_user = user.empty? ? nil : Struct.new(:id).new(user)
  controller.show
  puts "#{controller.answer[0]} [#{controller.response.headers['Cache-Control']}] #{controller.answer[1]}"
end
