import { type Appearance, makeLook, lookProperties } from '../appearance.ts';

const { style, dataset } = document.documentElement;
/** The appearance of the clip's organization, which the embedding page overrides part by part. */
const ofOrganization = JSON.parse(dataset['appearance'] ?? '{}') as Appearance;
/** Values that the service has written, for parts that the embedding page does not set. */
const served = new Map(lookProperties.map((name) => [name, style.getPropertyValue(name)]));
const reported = new Set<string>();

/** Takes the look of the page around. */
export function useAppearance(appearance: Appearance): void {
  const { properties, moved } = makeLook({ ...ofOrganization, ...appearance });
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
