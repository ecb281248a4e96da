<?php $watermark = ['src_url' => 'https://site.example/mark.png', 'pos_x' => 0.9]; ?>
<!doctype html>
<html lang="en">
<title>Clip</title>
<link rel="icon" href="data:,">
<meta name="clip-config" content="endpoint=/clips, app-url=https://clips.example">
<script type="module" src="/clip-kit.js"></script>
<a id="to-home" href="/">Home</a>
<clip-embed project="clip-1"></clip-embed>
<clip-export-button project="clip-1">Export</clip-export-button>
<output id="heard"></output>
<script type="module">
  const button = document.querySelector('clip-export-button');
  button.watermark = <?= json_encode($watermark, JSON_HEX_TAG) ?>;
  for (const name of ['clip-export-start', 'clip-export-ready']) {
    button.addEventListener(name, () => (document.querySelector('#heard').textContent += ` ${name}`));
  }
</script>
</html>
