import {
  createElement,
  forwardRef,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
  type ForwardRefExoticComponent,
  type HTMLAttributes,
  type RefAttributes,
} from 'react';
import { nameAttribute } from '../elements/attribute-properties.ts';

/** The props that a wrapper handles itself. The others are passed on to React. */
export interface Wrapped {
  /** Properties with an attribute: React writes these, also on the server. */
  readonly attributes: readonly string[];
  /** Properties that are more than their attribute, or have none. */
  readonly properties: readonly string[];
  /** The event of each handler. */
  readonly events: Readonly<Record<string, string>>;
  /**
   * For an element that may start an export, because React sets neither properties nor listeners
   * when it hydrates (facebook/react#35446). The attribute that it has until they are set, or
   * `again`: it is `inert`, and made again with them.
   */
  readonly untilReady?: 'hydrating' | 'inert' | 'again';
}

type Handlers<Events> = {
  readonly [Name in keyof Events]?: ((event: Events[Name]) => void) | undefined;
};

type Fields<Element, Name extends keyof Element> = {
  readonly [One in Name]?: Element[One] | undefined;
};

export type Wrapper<Element, Name extends keyof Element, Events> = ForwardRefExoticComponent<
  Fields<Element, Name> &
    Handlers<Events> &
    Omit<HTMLAttributes<Element>, Name | keyof Events> & {
      readonly inert?: boolean | undefined;
    } & RefAttributes<Element>
>;

type Props = Readonly<Record<string, unknown>>;
type Target = HTMLElement & Record<string, unknown>;

// React 18 warns about layout effects on a server.
const useEarlyEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/** Attributes that HTML spells without a hyphen. */
const ofHtml = /^(referrerPolicy|playsInline)$/;

const subscribeToNothing = () => () => {};

/** Whether React does not hydrate: false on the server, and during hydration. */
const useIsLive = () =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );

/** The props of the custom element. */
function makeElementProps(props: Props, { attributes, properties, events }: Wrapped): Props {
  const passed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(props)) {
    if (value == null || name in events) continue;
    if (attributes.includes(name)) {
      const attribute = ofHtml.test(name) ? name.toLowerCase() : nameAttribute(name);
      if (name === 'watermark' && typeof value !== 'string') passed[name] = JSON.stringify(value);
      // React 19 sets a property that is both, so it must get the boolean.
      else if (value !== false)
        passed[attribute] = value === true && !properties.includes(name) ? '' : value;
      // React 18 knows no other name on custom elements.
    } else if (name === 'className') passed['class'] = value;
    else if (!properties.includes(name)) passed[name] = value;
  }
  return passed;
}

/** Sets the properties that have changed, and listens to the events that have a handler. */
function useElement({ properties, events }: Wrapped, props: Props) {
  const element = useRef<Target>(null);
  const shown = useRef<Props>({});
  const listened = useRef<readonly [Target | null, Set<string>]>([null, new Set()]);
  useEarlyEffect(() => {
    const target = element.current!;
    const isNew = listened.current[0] !== target;
    const last = isNew ? {} : shown.current;
    if (isNew) listened.current = [target, new Set()];
    shown.current = props;
    for (const name of properties) {
      if (Object.is(props[name] ?? null, last[name] ?? null)) continue;
      // A removed prop is reset to the value of a new element.
      target[name] = props[name] ?? (document.createElement(target.localName) as Target)[name];
    }
    for (const [name, event] of Object.entries(events)) {
      if (!props[name] || listened.current[1].has(name)) continue;
      listened.current[1].add(name);
      target.addEventListener(event, (happened) =>
        (shown.current[name] as ((event: Event) => void) | undefined)?.(happened),
      );
    }
  });
  return element;
}

/** A component for an element: its properties and events are props, its ref is the element. */
export function wrap<Element, Name extends keyof Element, Events>(
  tag: string,
  wrapped: Wrapped,
): Wrapper<Element, Name, Events> {
  const { untilReady } = wrapped;
  const Wrapping = forwardRef<unknown, Props>((props, ref) => {
    const live = useIsLive();
    const element = useElement(wrapped, props);
    const waits = untilReady === 'again' ? 'inert' : untilReady;
    useEarlyEffect(() => {
      if (!waits || (!live && waits !== untilReady)) return;
      element.current!.inert = !!props['inert'];
      element.current![waits] = !!props[waits];
    });
    // After the properties: who gets the element may call it.
    useImperativeHandle(ref, () => element.current, [live]);
    return createElement(tag, {
      ...makeElementProps(props, wrapped),
      ref: element,
      ...(waits && { [waits]: true }),
      ...(untilReady === 'again' && { key: `${live}` }),
    });
  });
  Wrapping.displayName = tag;
  return Wrapping as unknown as Wrapper<Element, Name, Events>;
}
