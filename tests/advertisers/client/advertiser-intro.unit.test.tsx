// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { AdvertiserIntro } from '../../../client/features/advertisers/signup/advertiser-intro.tsx';
import { renderScreen } from '../../render-screen.tsx';

test.each([
  [0, 'fewer than 100 dog owners have joined'],
  [100, 'At least 100 dog owners have joined'],
  [1_000, 'At least 1,000 dog owners have joined'],
])('an audience of %i is said as it is', async (members, words) => {
  const { text } = await renderScreen(<AdvertiserIntro onBegin={() => {}} />, {
    answers: { 'GET /api/advertiser-audience': { members } },
  });
  expect(text()).toContain(words);
});
