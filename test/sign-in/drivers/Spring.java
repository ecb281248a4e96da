import com.fasterxml.jackson.databind.ObjectMapper;

/** Calls the controller of the block as Spring does, and writes its answer with Jackson. */
class Spring {
    public static void main(String[] users) throws Exception {
        var out = new java.io.PrintStream(System.out, true, "UTF-8");
        for (String user : users) {
            var answer = new ClipSessionController().clipSession(user.isEmpty() ? null : () -> user);
            out.printf("%d [%s] %s%n", answer.getStatusCodeValue(), answer.getHeaders().getCacheControl(),
                new ObjectMapper().writeValueAsString(answer.getBody()));
        }
    }
}
