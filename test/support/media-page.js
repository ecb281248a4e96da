/**
 * A player of another maker: the receiver of the npm package player.js, and a clock of 8 s instead
 * of a video.
 */
/* global playerjs */
function start() {
  addEventListener('message', ({ data }) => {
    if (typeof data !== 'string') return;
    const { method, value } = JSON.parse(data);
    if (method === 'clip-setLanguage') parent.postMessage({ frame: 'language', href: value }, '*');
    if (method === 'clip-setAppearance') {
      parent.postMessage({ frame: 'appearance', href: JSON.stringify(value) }, '*');
    }
  });
  const receiver = new playerjs.Receiver();
  // It reads the parent's origin from the referrer, and WebKit sends none if a script navigates.
  if (!document.referrer) receiver.origin = location.ancestorOrigins[0];
  const duration = 8;
  const step = 0.05;
  const asked = new URLSearchParams(location.search);
  const state = {
    paused: true,
    seconds: 0,
    volume: 100,
    muted: asked.has('muted'),
    loop: asked.has('loop'),
  };

  setInterval(() => {
    if (state.paused) return;
    state.seconds += step;
    if (state.seconds >= duration && state.loop) state.seconds = 0;
    const { seconds } = state;
    receiver.emit('timeupdate', { seconds: Math.min(seconds, duration), duration });
    if (seconds < duration) return;
    state.paused = true;
    receiver.emit('ended');
  }, step * 1000);

  function play() {
    if (location.pathname.endsWith('/refuses')) {
      receiver.emit('error', { code: 'not-allowed', msg: 'A click is needed.' });
      return;
    }
    if (location.pathname.endsWith('/broken')) {
      receiver.emit('error', { code: 4, msg: 'The video could not be loaded.' });
      return;
    }
    if (state.seconds >= duration) state.seconds = 0;
    state.paused = false;
    receiver.emit('play');
  }

  receiver.on('play', play);
  receiver.on('pause', () => {
    state.paused = true;
    receiver.emit('pause');
  });
  receiver.on('getPaused', (answer) => answer(state.paused));
  receiver.on('getDuration', (answer) => answer(duration));
  receiver.on('getCurrentTime', (answer) => answer(state.seconds));
  receiver.on('setCurrentTime', (seconds) => {
    state.seconds = seconds;
    receiver.emit('seeked');
  });
  receiver.on('getVolume', (answer) => answer(state.volume));
  receiver.on('setVolume', (volume) => {
    state.volume = volume;
  });
  receiver.on('getMuted', (answer) => answer(state.muted));
  receiver.on('mute', () => {
    state.muted = true;
  });
  receiver.on('unmute', () => {
    state.muted = false;
  });
  receiver.on('getLoop', (answer) => answer(state.loop));
  receiver.on('setLoop', (loop) => {
    state.loop = loop;
  });
  receiver.ready();
  if (asked.has('autoplay')) play();
}

// Some pages load their player late.
if (location.pathname.endsWith('/late')) setTimeout(start, 300);
else if (!location.pathname.endsWith('/silent')) start();
