import { ACCESS_DAYS } from '#shared/access-gate/rules.ts';

const SEEN = [
  'Your name and your dogs, while you share your location',
  'How far away you are, in steps of 10 feet up to 100 feet',
];
const NEVER_SEEN = [
  'Where you are, on a map or as an address',
  'Your route: walks stay on your phone',
  'Anything at all while sharing is off, or in your quiet places',
];

const Points = ({ texts }: { texts: string[] }) => (
  <ul className="flex list-disc flex-col gap-2 pl-5">
    {texts.map((text) => (
      <li key={text}>{text}</li>
    ))}
  </ul>
);

/** The data that others see and never see, and the price. */
export function Promises() {
  return (
    <div className="mt-10 grid grid-cols-1 gap-4 md:grid-cols-2">
      <section
        aria-labelledby="seen"
        className="flex flex-col gap-3 rounded-card border border-line bg-surface p-5 shadow-lift"
      >
        <h2 id="seen" className="text-xl font-bold">
          What others see
        </h2>
        <Points texts={SEEN} />
        <h3 className="font-bold">What no one ever sees</h3>
        <Points texts={NEVER_SEEN} />
      </section>
      <section
        aria-labelledby="price"
        className="flex flex-col gap-3 rounded-card bg-accent-soft p-5"
      >
        <h2 id="price" className="text-xl font-bold">
          What it costs
        </h2>
        <p className="text-5xl font-bold tracking-tight">
          $1 <span className="text-xl">for {ACCESS_DAYS} days</span>
        </p>
        <p>
          Nothing if someone gives you an access code. A code lasts {ACCESS_DAYS} days. Without one,
          a donation of $1 gives you {ACCESS_DAYS} days. It’s not a subscription: we remind you
          before it ends, and you decide.
        </p>
        <p>
          Sponsors are always labeled. We don’t sell your data, and advertisers never learn who or
          where you are.
        </p>
      </section>
    </div>
  );
}
