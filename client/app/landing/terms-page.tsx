import { ACCESS_DAYS } from '#shared/access-gate/rules.ts';
import { TopicsPage } from './topics-page.tsx';

const TERMS = [
  [
    'You are responsible for your dog',
    'Warnings depend on phones, signals and people who take part. They can be late or missing, so keep an eye on what is around you and follow local leash rules.',
  ],
  [
    'Be kind and honest',
    'Say whether your dog needs space. Don’t harass anyone, and don’t post what isn’t yours. Our guidelines apply to names, photos and messages; breaking them can lead to a warning or a suspension, which you can appeal.',
  ],
  [
    'Places, tips and hazards',
    'Members write them, and we don’t check each one. Anyone can report what’s wrong. What you add for everyone may stay, without your name, after you leave.',
  ],
  [
    'Price',
    `An access code, or a donation of $1, gives you ${ACCESS_DAYS} days. There’s no subscription: it ends by itself, and you can add ${ACCESS_DAYS} days at any time without losing those you have left.`,
  ],
  [
    'Leaving',
    'You can delete your account in the settings at any time. If we end your access, we say when and why, and you can still download your data.',
  ],
] as const;

/** The terms of use in plain words. */
export default function TermsPage() {
  return (
    <TopicsPage title="Terms of use" topics={TERMS} other={{ to: '/privacy', name: 'Privacy' }} />
  );
}
