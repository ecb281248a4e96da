// MediaWiki:Common.js of the wiki, with a listener of its own. The wiki checks that it is ES5.
document.addEventListener('clip-export-ready', function () {
  var message = document.createElement('output');
  message.textContent = 'Your clip is ready.';
  document.body.append(message);
});
