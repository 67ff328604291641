/** What a page of another site posts to a window: a text, or a member of an object, perhaps as JSON, beside others. */
export type Message = { isText?: true; member?: string; others?: Record<string, string> };

/** @param template in which references to values of the trial stay as they are */
export function dataOf({ isText, member, others = {} }: Message, template: string): unknown {
  if (member === undefined) return template;
  const data = { ...others, [member]: template };
  return isText ? JSON.stringify(data) : data;
}

/** A page of another site that opens a page in a window, and posts data to it as soon as its button is pressed. */
export const pageThatPosts = (page: string, messages: readonly unknown[]): string => `<!doctype html>
<title>A page of another site</title>
<a href="#">Open</a> <button>Post</button>
<script>
  let opened;
  document.links[0].onclick = () => { opened = window.open(${inScript(page)}); };
  document.querySelector('button').onclick = () => {
    for (const data of ${inScript(messages)}) opened.postMessage(data, '*');
  };
</script>
`;

/** What has to be clicked there. */
export const clicksOfMessages = ['a', 'button'];

const inScript = (data: unknown): string => JSON.stringify(data).replaceAll('<', '\\u003c');
