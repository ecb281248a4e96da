import { createApp } from 'vue';
import { createRouter, createWebHistory } from 'vue-router';
import App from './App.vue';
import Clip from './Clip.vue';
import Site from './Site.vue';

const router = createRouter({
  history: createWebHistory(),
  routes: [
    { path: '/', component: App },
    { path: '/clip', component: Clip },
  ],
});
createApp(Site).use(router).mount('#root');
