import { expect, test } from 'vitest';
import { radiusOf } from '#shared/settings/rules.ts';
import { pauseText, statusText } from '../../../client/proximity/monitor/proximity-state.ts';
import {
  advice,
  distanceWords,
  durationWords,
  headline,
  shortDistance,
} from '../../../client/proximity/alerts/alert-text.ts';

const dog = (name: string, sound_type: 'leash_on' | 'leash_off') => ({
  name,
  sound_type,
  image_key: null,
});
const rex = dog('Rex', 'leash_on');
const max = dog('Max', 'leash_on');
const bella = dog('Bella', 'leash_off');
const ada = dog('Ada', 'leash_off');

test.each([
  [[rex], 'Rex needs space'],
  [[bella, rex], 'Rex needs space'],
  [[rex, bella, max], 'Rex and Max need space'],
  [[bella], 'Bella is friendly'],
  [[bella, ada], 'Bella and Ada are friendly'],
])('a headline names the dogs that matter', (dogs, words) => {
  const { names, verdict } = headline(dogs);
  expect(`${names} ${verdict}`).toBe(words);
});

test('advice is about the other dogs first, then about the owner’s', () => {
  expect(advice([bella, rex, max], ['Mine'])).toBe('Leash your dog and give them room.');
  expect(advice([bella], ['Ivy', 'Leo'])).toBe('Keep Ivy and Leo leashed: Ivy and Leo need space.');
  expect(advice([bella], [])).toBe('Off-leash play is welcome.');
});

test('formats distances and durations', () => {
  expect(distanceWords(80)).toBe('80 feet away');
  expect(distanceWords(0)).toBe('right here');
  expect([1000, 45_000, 240_000, 7_200_000, 14 * 86_400_000].map(durationWords)).toEqual([
    '1 second',
    '45 seconds',
    '4 minutes',
    '2 hours',
    '14 days',
  ]);
});

test('the status contains the server’s error and the duration of a pause', () => {
  expect(statusText({ status: 'denied', problem: null }, 100).title).toBe(
    'Unable to access your location',
  );
  expect(statusText({ status: 'failing', problem: 'Too many requests' }, 100).more).toMatch(
    /^Too many requests\. /,
  );
  expect(statusText({ status: 'rough', problem: null }, 100).title).toBe(
    'Paused: your location isn’t accurate enough',
  );
  expect(pauseText(240_000)).toContain('for 4 minutes');
});

test.each([
  ['250', 250],
  ['', 100],
  ['far', 100],
  ['5', 10],
  ['9000', 500],
])('the test radius %j becomes %d feet', (typed, feet) => {
  expect(radiusOf(typed)).toBe(feet);
});

test('a distance beyond 100 feet is shown as a range', () => {
  expect(distanceWords(80)).toBe('80 feet away');
  expect(distanceWords(250)).toBe('within 250 feet');
  expect(shortDistance(100, 'ft')).toBe('100 ft');
  expect(shortDistance(500, 'ft')).toBe('within 500 ft');
});
