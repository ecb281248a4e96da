<!doctype html>
<html lang="en">
<title>Home</title>
<link rel="icon" href="data:,">
<script type="module" src="/clip-kit.js"></script>
<clip-preview project="clip-1" loading="click" player-url="https://clips.example"></clip-preview>
<a id="to-clip" href="/clip">The clip</a>
</html>
