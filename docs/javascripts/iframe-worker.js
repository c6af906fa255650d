// Browsers start no worker from a file. Where the site is opened as files, search runs in a hidden frame instead, which looks like a worker.
if (location.protocol === "file:") {
  // what a worker has and a page has not: scripts loaded in a row, and answers to whoever started it
  const within = `
    self.importScripts = (...addresses) => addresses.reduce((before, address) => before.then(() => new Promise(done => {
      const script = document.createElement("script")
      script.src = address
      script.onload = script.onerror = done
      document.body.append(script)
    })), Promise.resolve())
    self.postMessage = data => self.answer(data)`
  window.IFrameWorker = class extends EventTarget {
    constructor(address) {
      super()
      const url = new URL(address, location.href).href
      const frame = document.createElement("iframe")
      frame.hidden = true
      frame.title = "search"
      // the frame's page is about:srcdoc, of this page's origin, whose functions it may call
      frame.srcdoc = `<!doctype html><html lang="en"><title>search</title><body><script>${within}</` + `script><script src="${url}"></` + "script>"
      this.frame = new Promise(done => { frame.onload = () => done(frame.contentWindow) })
      document.body.append(frame)
      this.frame.then(inner => { inner.answer = data => this.answer(data) })
    }
    answer(data) {
      const event = new MessageEvent("message", { data })
      this.dispatchEvent(event)
      this.onmessage?.(event)
    }
    postMessage(data) {
      this.frame.then(inner => inner.dispatchEvent(new MessageEvent("message", { data })))
    }
    terminate() {}
  }
  window.Worker = window.IFrameWorker
}
