import 'clip-kit';
import { createApp } from 'vue';
import { createRouter, createWebHistory } from 'vue-router';
import App from './App.vue';
import Clip from './Clip.vue';
import Home from './Home.vue';

const router = createRouter({
  history: createWebHistory(),
  routes: [
    { path: '/', component: Home },
    { path: '/clip', component: Clip },
  ],
});
createApp(App).use(router).mount('#root');
