// Keeps the page for when there is no connection. What is asked of the service is never kept.

const KEPT = "driver-1";
const FILES = ["./", "app.js", "kept.js", "login.js", "photos.js", "queue.js", "app.css", "icon.svg", "app.webmanifest"];

addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(KEPT);
    await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
    await skipWaiting();
  })());
});

addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name !== KEPT) await caches.delete(name);
  await clients.claim();
})()));

// As the service has it now; as it was kept where it cannot be reached.
addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  const here = new URL("./", location);
  const file = address.pathname.slice(here.pathname.length) || "./";
  const kept = address.origin === here.origin && address.pathname.startsWith(here.pathname) && FILES.includes(file);
  if (event.request.method !== "GET" || !kept) return;
  event.respondWith((async () => {
    const cache = await caches.open(KEPT);
    try {
      const answer = await fetch(event.request);
      if (answer.ok) await cache.put(file, answer.clone());
      return answer;
    } catch {
      return (await cache.match(file)) || Response.error();
    }
  })());
});
