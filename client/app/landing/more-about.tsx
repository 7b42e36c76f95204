import { BellRing, CloudOff, ShieldCheck, Smartphone } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { PRODUCT } from '../../platform/product.ts';
import { Feature } from './feature.tsx';

/** The content of 'Learn More', loaded on demand. */
export default function MoreAbout() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // It opens below the screen.
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView();
  }, []);
  return (
    <>
      <h2 ref={heading} tabIndex={-1} className="mb-4 scroll-mt-4 text-2xl font-bold">
        More about {PRODUCT}
      </h2>
      <ul className="grid grid-cols-1 gap-4 pb-10 sm:grid-cols-2">
        <Feature Icon={BellRing} title="Both owners are warned">
          When someone comes within 100 feet, you both get an alert at the same moment: the dog’s
          name, how far away it is, and what to do.
        </Feature>
        <Feature Icon={ShieldCheck} title="Your location stays private">
          No one ever sees where you are. Others only get a rough distance while you’re sharing, and
          your position is deleted soon after you stop.
        </Feature>
        <Feature Icon={CloudOff} title="Works with a weak signal">
          View and edit your dogs and profile offline; changes reach all your devices when you’re
          back online.
        </Feature>
        <Feature Icon={Smartphone} title="One hand is enough">
          Sound, vibration and a notification, because your other hand is holding a leash.
        </Feature>
      </ul>
    </>
  );
}
