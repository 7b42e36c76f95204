import { expect, test } from 'vitest';
import { radiusOf } from '#shared/settings/rules.ts';
import { US } from '#shared/units.ts';
import {
  distanceWords,
  shortDistance,
} from '../../../client/features/proximity/alerts/alert-text.ts';
import {
  announce,
  announceCloser,
} from '../../../client/features/proximity/alerts/announcement.ts';
import { feetBetween } from '../../../client/features/proximity/components/shown-distance.tsx';
import {
  pauseText,
  statusText,
} from '../../../client/features/proximity/monitor/proximity-state.ts';
import { SOUND_MEANING } from '../../../client/features/sounds/sound-meaning.ts';
import { durationWords } from '../../../client/platform/duration-words.ts';

test('formats distances and durations', () => {
  expect(distanceWords(80, US)).toBe('80 feet away');
  expect(distanceWords(0, US)).toBe('right here');
  expect([1000, 45_000, 64_000, 240_000, 7_200_000, 14 * 86_400_000].map(durationWords)).toEqual([
    '1 second',
    '45 seconds',
    '1 minute',
    '4 minutes',
    '2 hours',
    '14 days',
  ]);
});

test('the status contains the server’s error and the duration of a pause', () => {
  expect(statusText({ status: 'denied', problem: null }, '100 feet').title).toBe(
    'Unable to access your location',
  );
  expect(statusText({ status: 'failing', problem: 'Too many requests' }, '100 feet').more).toMatch(
    /^Too many requests\. /,
  );
  expect(statusText({ status: 'rough', problem: null }, '100 feet').title).toBe(
    'Paused: your location isn’t accurate enough',
  );
  expect(statusText({ status: 'off', problem: null }, '100 feet').more).toContain('to be warned');
  expect(statusText({ status: 'off', problem: null }, '100 feet', false).more).toBe(
    'You can start a walk; warnings start once you’re back online.',
  );
  expect(pauseText(240_000)).toContain('for 4 minutes');
});

test.each([
  ['250', 250],
  ['', 100],
  ['far', 100],
  ['10.4', 10],
  ['5', null],
  ['9000', null],
])('the test radius %j is read as %j feet', (typed, feet) => {
  expect(radiusOf(typed)).toBe(feet);
});

test('a distance beyond 100 feet is shown as a range', () => {
  expect(distanceWords(80, US)).toBe('80 feet away');
  expect(distanceWords(250, US)).toBe('within 250 feet');
  expect(shortDistance(100, US)).toBe('100 ft');
  expect(shortDistance(500, US)).toBe('within 500 ft');
});

test('the words of an alert omit the name of someone anonymous', () => {
  const rex = {
    isUrgent: true,
    names: 'Rex',
    brief: 'Rex',
    verdict: 'needs space',
    advice: 'Give Rex room.',
    notes: '',
  };
  const sam = { display_name: 'Sam', distance_feet: 80 };
  expect(announce(sam, rex, US)).toEqual({
    title: 'HIGH: Rex needs space',
    body: 'Sam is 80 feet away. Give Rex room.',
    speech: 'Rex needs space. Sam is 80 feet away. Give Rex room.',
  });
  expect(announce({ ...sam, display_name: '' }, rex, US).body).toBe('80 feet away. Give Rex room.');
  expect(announce(sam, { ...rex, notes: 'Deaf' }, US).speech).toBe(
    'Rex needs space. Deaf. Sam is 80 feet away. Give Rex room.',
  );
  expect(announceCloser(sam, rex, US).speech).toBe('Rex needs space, now 80 feet away.');
});

test('a distance shrinks in the steps in which it is known, never below the reported one', () => {
  const steps = [0, 0.25, 0.5, 0.75, 1, 2].map((progress) => feetBetween(80, 40, progress));
  expect(steps).toEqual([80, 70, 50, 50, 40, 40]);
});

test('the sounds mean what the specification says', () => {
  expect(SOUND_MEANING.leash_on).toMatch(/deep, assertive bark.*must be leashed/);
  expect(SOUND_MEANING.leash_off).toMatch(/friendly bark.*off-leash interaction is welcome/);
});
