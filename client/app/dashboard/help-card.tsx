import { PRODUCT } from '../../platform/product.ts';
import { Card } from '../../platform/ui/layout/card.tsx';
import { Summary } from '../../platform/ui/layout/summary.tsx';

const QUESTIONS: [question: string, answer: string][] = [
  [
    'How do warnings work?',
    `Start a walk and keep ${PRODUCT} open with the screen on. When another owner on a walk comes within your alert radius, you hear, feel and see which dog it is and whether it needs space. They’re warned of yours.`,
  ],
  [
    'Who sees where I am?',
    'No one. Owners near you see a rough distance, never a place; within 100 feet, you’re both told on which side the other one comes. Your position is deleted soon after you end the walk. In a quiet place, such as your home, you’re not shown at all.',
  ],
  [
    'Why didn’t I hear a warning?',
    'The screen was off, the sound was muted, or the other owner wasn’t on a walk with the app open. Test Alerts shows how a warning sounds on this device.',
  ],
  [
    'The app can’t access my location',
    'Open your browser’s settings for this site, allow location, and start the walk again. On an iPhone, also check Settings, Privacy & Security, Location Services.',
  ],
];

/** Answers to frequent questions. */
export function HelpCard() {
  return (
    <Card title="Help">
      <div className="divide-y divide-line">
        {QUESTIONS.map(([question, answer]) => (
          <details key={question}>
            <Summary chevron="end" className="min-h-12! font-bold">
              {question}
            </Summary>
            <p className="pb-3 text-soft">{answer}</p>
          </details>
        ))}
      </div>
    </Card>
  );
}
