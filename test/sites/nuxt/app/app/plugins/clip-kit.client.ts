import 'clip-kit';

export default defineNuxtPlugin(() => {});
