import { PRODUCT } from '../../platform/product.ts';
import { PRIVACY_ELSEWHERE, PRIVACY_TOPICS, type PrivacyTopic } from './privacy-topics.ts';
import { TopicsPage } from './topics-page.tsx';

/** Everything that is stored, who can see it and how long, in plain words. */
export default function PrivacyPage() {
  return (
    <TopicsPage
      title={`Privacy at ${PRODUCT}`}
      topics={PRIVACY_ELSEWHERE}
      other={{ to: '/terms', name: 'Terms of use' }}
    >
      <p>
        This is everything we store, who can see it, and how long. You can download your data and
        delete your account in the settings at any time.
      </p>
      {PRIVACY_TOPICS.map((topic) => (
        <StoredData key={topic.title} topic={topic} />
      ))}
    </TopicsPage>
  );
}

function StoredData({ topic: { title, what, seenBy, stored } }: { topic: PrivacyTopic }) {
  const facts = [
    ['Who can see it', seenBy],
    ['How long', stored],
  ] as const;
  return (
    <section className="flex flex-col gap-2 rounded-card border border-line bg-surface p-4 sm:p-5">
      <h2 className="text-lg font-bold">{title}</h2>
      <p>{what}</p>
      <dl className="flex flex-col gap-2 text-soft">
        {facts.map(([name, text]) => (
          <div key={name} className="flex flex-wrap gap-x-3">
            <dt className="shrink-0 basis-28 font-bold text-ink">{name}</dt>
            <dd className="min-w-0 flex-1 basis-48">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
