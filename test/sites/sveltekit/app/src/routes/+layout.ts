import 'clip-kit';
