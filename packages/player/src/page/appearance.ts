import { type Appearance, lookOf, lookProperties } from '../appearance.ts';

const { style, dataset } = document.documentElement;
/** Of the clip's organization: the page around has the last word on each part of it. */
const ofOrganization = JSON.parse(dataset['appearance'] ?? '{}') as Appearance;
/** What the service has written: it applies where the page around says nothing. */
const served = new Map(lookProperties.map((name) => [name, style.getPropertyValue(name)]));
const reported = new Set<string>();

/** Takes the look of the page around. */
export function useAppearance(appearance: Appearance): void {
  const { properties, moved } = lookOf({ ...ofOrganization, ...appearance });
  for (const name of lookProperties) {
    style.setProperty(name, properties.get(name) ?? served.get(name)!);
  }
  for (const { name, ground, contrast, from, to } of moved) {
    const text = `${name} (${from}) has a contrast of ${contrast.toFixed(1)} on ${ground}, less than 4.5. The clip's page uses ${to}.`;
    if (reported.has(text)) continue;
    reported.add(text);
    console.warn(text);
  }
}
