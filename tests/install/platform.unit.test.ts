import { expect, test } from 'vitest';
import { platformOf } from '../../client/platform/install/platform.ts';

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15';
test.each([
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/141.0 Mobile Safari/537.36', 5, 'android'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) Version/19.1 Safari/604.1', 5, 'ios'],
  [MAC, 5, 'ios'],
  [MAC, 0, 'desktop'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0 Safari/537.36', 10, 'desktop'],
  ['', 0, 'desktop'],
])('%j with %i touch points is %s unless the URL overrides it', (agent, points, expected) => {
  expect(platformOf('', agent, points)).toBe(expected);
  expect(platformOf('?platform=toaster', agent, points)).toBe(expected);
  for (const platform of ['ios', 'android', 'desktop'])
    expect(platformOf(`?a=1&platform=${platform}`, agent, points)).toBe(platform);
});
