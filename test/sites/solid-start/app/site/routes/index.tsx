export { default } from '../../src/App.tsx';
