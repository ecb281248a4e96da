// Written by `npm run manifest` from custom-elements.json.
export {};
