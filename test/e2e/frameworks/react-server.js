import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
// As in an application with one module for both sides.
import 'clip-kit';
import { LatePage, Page } from './react-page.js';

export const render = (props) => renderToString(createElement(props.late ? LatePage : Page, props));
