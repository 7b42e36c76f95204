import * as features from './contract-modules.ts';
import type { Endpoint } from './endpoint.ts';

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value;

/** Every call of the api, as `feature.name`: for mounting checks, test sweeps and the OpenAPI description. */
export const contracts: ReadonlyMap<string, Endpoint> = new Map(
  Object.entries(features).flatMap(([feature, exports]) =>
    Object.entries(exports).flatMap(([name, value]) =>
      isEndpoint(value) ? [[`${feature}.${name}`, value] as const] : [],
    ),
  ),
);
