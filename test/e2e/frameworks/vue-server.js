import { createSSRApp } from 'vue';
import { renderToString } from 'vue/server-renderer';
// As in an application with one module for both sides.
import 'clip-kit';
import { Page } from './vue-page.js';

export const render = (props) => renderToString(createSSRApp(Page, props));
