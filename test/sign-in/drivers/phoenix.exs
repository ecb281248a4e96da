# The controller of the block, with what Phoenix has and Jason writes.
defmodule Jason do
  def encode!(map), do: "{" <> Enum.map_join(map, ",", fn {name, value} -> ~s("#{name}":) <> written(value) end) <> "}"
  defp written(value) when is_integer(value), do: to_string(value)
  defp written(value), do: ~s(") <> String.replace(value, ["\\", "\""], &("\\" <> &1)) <> ~s(")
end

defmodule MyAppWeb do
  defmacro __using__(:controller), do: quote(do: import(MyAppWeb))
  def put_resp_header(conn, name, value), do: put_in(conn, [:headers, name], value)
  def put_status(conn, status), do: %{conn | status: status}
  def json(conn, body), do: Map.put(conn, :body, Jason.encode!(body))
end

Code.require_file("clip_session_controller.ex")

for user <- System.argv() do
  assigns = if user == "", do: %{}, else: %{current_user: %{id: user}}
  conn = MyAppWeb.ClipSessionController.show(%{assigns: assigns, headers: %{}, status: 200}, %{})
  IO.puts("#{conn.status} [#{conn.headers["cache-control"]}] #{conn.body}")
end
