import { Link } from 'react-router-dom';
import { PRODUCT } from '../product.ts';
import { PublicPage } from '../ui/public-page.tsx';

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

const TERMS = [
  [
    'You are responsible for your dog',
    'Warnings depend on phones, signals and people who take part. They can be late or missing, so keep an eye on what is around you and follow local leash rules.',
  ],
  [
    'Be kind and honest',
    'Say whether your dog needs space. Don’t harass anyone, and don’t post what isn’t yours. Our guidelines apply to names, pictures and messages; breaking them can lead to a warning or a suspension, which you can appeal.',
  ],
  ['Price', 'You need an access code, or a donation of $1. There’s no subscription.'],
] as const;

/** The privacy promise and the terms in plain words. */
export default function PrivacyPage() {
  return (
    <PublicPage
      title="Privacy and terms"
      corner={
        <Link to="/" className="flex min-h-11 items-center px-2 font-bold text-accent">
          Back to the start
        </Link>
      }
    >
      <div className="mx-auto flex max-w-2xl flex-col gap-8 py-6">
        <h1 tabIndex={-1} className="text-3xl font-bold tracking-tight sm:text-4xl">
          Privacy and terms
        </h1>
        <Topics id="privacy" title={`Privacy at ${PRODUCT}`} topics={PRIVACY} />
        <Topics id="terms" title="Terms of use" topics={TERMS} />
      </div>
    </PublicPage>
  );
}

function Topics({
  id,
  title,
  topics,
}: {
  id: string;
  title: string;
  topics: readonly (readonly [title: string, text: string])[];
}) {
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <h2 id={id} className="text-2xl font-bold">
        {title}
      </h2>
      {topics.map(([name, text]) => (
        <div key={name}>
          <h3 className="text-lg font-bold">{name}</h3>
          <p className="text-soft">{text}</p>
        </div>
      ))}
    </section>
  );
}
