// A page whose component and props the tests of the props choose.
import * as kit from 'clip-kit/react';
import { createElement, useEffect, useState, type ElementType } from 'react';
import { flushSync } from 'react-dom';

export function Props() {
  const [drawn, draw] = useState<Record<string, unknown>>({});
  useEffect(() => {
    Object.assign(globalThis, {
      draw: (component: string, key: string, props: object) =>
        flushSync(() => draw({ component, key, props })),
    });
  }, []);
  const Component = (kit as Record<string, unknown>)[`${drawn.component}`] as ElementType;
  return Component
    ? createElement(Component, { key: `${drawn.key}`, ...(drawn.props as object) })
    : null;
}
