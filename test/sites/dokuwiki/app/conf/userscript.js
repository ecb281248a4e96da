// The wiki's own script, with a listener.
document.addEventListener('clip-export-ready', () => {
  const message = document.createElement('output');
  message.textContent = 'Your clip is ready.';
  document.body.append(message);
});
