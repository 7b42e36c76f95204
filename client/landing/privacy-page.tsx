import { PRODUCT } from '../product.ts';
import { TopicsPage } from './topics-page.tsx';

const PRIVACY = [
  [
    'Your location',
    'We use your position only while you share it, to warn you and the people near you. Others get a rounded distance, never a place or a direction. Your position is deleted soon after you stop sharing. Encounters are stored without their place.',
  ],
  [
    'Your walks',
    'Your route is never stored. The history of your walks stays on the device that recorded it, where you can export and delete it.',
  ],
  [
    'Your data',
    'Your profile, dogs, friends and messages are stored on our servers and on your devices, so that they work offline. You can download everything we store about you, and delete your account, in the settings.',
  ],
  [
    'Sponsors and advertisers',
    'Ads are chosen by the place you search, not by who you are. Advertisers get totals, never names or positions.',
  ],
] as const;

/** The privacy promise in plain words. */
export default function PrivacyPage() {
  return (
    <TopicsPage
      title={`Privacy at ${PRODUCT}`}
      topics={PRIVACY}
      other={{ to: '/terms', name: 'Terms of use' }}
    />
  );
}
