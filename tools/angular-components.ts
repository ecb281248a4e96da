/**
 * `clip-kit/angular` from the elements' model: components in the form that Angular's own compiler
 * gives to a library, which an application's build completes. So no compiler is needed here. A file
 * for each, so that a page loads only the elements that it imports.
 */
import type { ElementModel } from './element-model.ts';

const header = '// Written by the build from custom-elements.json.\n';

/** The oldest Angular that reads these declarations. */
const minVersion = '17.0.0';

function writeComponent({ tag, className, fields, waits }: ElementModel): string {
  const names = fields.map(({ name }) => name);
  const inputs = fields.map(
    ({ name, attribute, rendered }) => `${name}: ${rendered ? `'${attribute}'` : null}`,
  );
  return `${header}
import * as i0 from '@angular/core';
import '../define/${tag}.js';
import { forward, Wrapper } from './wrapper.js';

export class ${className} extends Wrapper {
  static ɵfac = i0.ɵɵngDeclareFactory({
    minVersion: '${minVersion}',
    version: '${minVersion}',
    ngImport: i0,
    type: ${className},
    deps: [],
    target: i0.ɵɵFactoryTarget.Component,
  });
  static ɵcmp = i0.ɵɵngDeclareComponent({
    minVersion: '${minVersion}',
    version: '${minVersion}',
    ngImport: i0,
    type: ${className},
    isStandalone: true,
    selector: '${tag}',
    inputs: { ${names.map((name) => `${name}: '${name}'`).join(', ')} },
    template: '<ng-content />',
    isInline: true,
    changeDetection: i0.ChangeDetectionStrategy.OnPush,
    encapsulation: i0.ViewEncapsulation.None,
  });${
    waits
      ? `
  waits = this.wait('${waits}');`
      : ''
  }
}
forward(${className}, { ${inputs.join(', ')} });
`;
}

const wrapper = `${header}
import * as i0 from '@angular/core';

/** A component on an element of the kit: its inputs are the element's properties. */
export class Wrapper {
  element = i0.inject(i0.ElementRef).nativeElement;
  isServer = i0.inject(i0.PLATFORM_ID) === 'server';

  /** Writes an attribute on the server, which is there until inputs and listeners are set. */
  wait(attribute) {
    const { element } = this;
    const mark = 'hydrating';
    if (this.isServer) {
      if (!element.hasAttribute(attribute)) element.setAttribute(attribute, mark);
      return;
    }
    i0.afterNextRender(() => {
      // Not that of the page.
      if (element.getAttribute(attribute) === mark) element.removeAttribute(attribute);
    });
  }

  /** Writes an input on the server, where no element is defined. */
  write(name, attribute, value) {
    if (value === null || value === undefined || value === false) {
      this.element.removeAttribute(attribute);
    } else {
      const isObject = name === 'watermark' && typeof value === 'object';
      this.element.setAttribute(
        attribute,
        value === true ? '' : isObject ? JSON.stringify(value) : value,
      );
    }
  }
}

/** Inputs by name, with the attribute that a server writes. */
export function forward(type, inputs) {
  for (const [name, attribute] of Object.entries(inputs)) {
    Object.defineProperty(type.prototype, name, {
      get() {
        return this.element[name];
      },
      set(value) {
        if (!this.isServer) this.element[name] = value;
        else if (attribute) this.write(name, attribute, value);
      },
    });
  }
}
`;

function writeDeclarations({ tag, className, description, fields }: ElementModel): string {
  const names = [
    ...(fields.some(({ attribute }) => attribute !== null) ? [`${className}Attributes`] : []),
    ...(fields.some(({ attribute }) => attribute === null) ? [`${className}Properties`] : []),
  ];
  return `${header}
import type * as i0 from '@angular/core';
import type { ClipElements, ${names.join(', ')} } from '../types/elements.js';

/** ${description} */
export declare class ${className} {
  readonly element: ClipElements['${tag}']['element'];
${fields
  .map(
    ({ name, attribute, description: about }) =>
      `${about ? `/** ${about} */\n` : ''}${name}: ${
        attribute === null
          ? `${className}Properties['${name}']`
          : `${className}Attributes['${attribute}']`
      };\n`,
  )
  .join('')}
  static ɵfac: i0.ɵɵFactoryDeclaration<${className}, never>;
  static ɵcmp: i0.ɵɵComponentDeclaration<${className}, '${tag}', never, {
${fields.map(({ name }) => `'${name}': { alias: '${name}'; required: false };\n`).join('')}
  }, {}, never, ['*'], true, never>;
}
`;
}

const index = (elements: readonly ElementModel[]): string =>
  `${header}\n${elements.map(({ tag, className }) => `export { ${className} } from './${tag}.js';\n`).join('')}`;

/** The files by their path. */
export const writeAngularSources = (elements: readonly ElementModel[]): Map<string, string> =>
  new Map([
    ['dist/angular/wrapper.js', wrapper],
    ...elements.flatMap((element): [string, string][] => [
      [`dist/angular/${element.tag}.js`, writeComponent(element)],
      [`dist/angular/${element.tag}.d.ts`, writeDeclarations(element)],
    ]),
    ['dist/angular/index.js', index(elements)],
    ['dist/angular/index.d.ts', index(elements)],
  ]);
