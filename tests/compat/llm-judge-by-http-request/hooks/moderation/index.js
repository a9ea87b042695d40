const http = require('http')
const zlib = require('zlib')
const querystring = require('querystring')

const agent = new http.Agent({ keepAlive: true, maxSockets: 2 })

function ask (text, callback) {
  const options = {
    hostname: '127.0.0.1',
    port: process.env.PORT,
    path: '/moderate?' + querystring.stringify({ text: text, v: 1 }),
    method: 'GET',
    headers: { Accept: 'application/json' },
    agent: agent
  }
  const request = http.request(options, function (response) {
    const chunks = []
    response.on('data', function (chunk) { chunks.push(chunk) })
    response.on('end', function () {
      zlib.gunzip(Buffer.concat(chunks), function (error, body) {
        if (error) return callback(error)
        callback(null, JSON.parse(body.toString()), response.headers['x-judge'], response.statusCode)
      })
    })
  })
  request.setTimeout(15000, function () { request.destroy(new Error('too slow')) })
  request.on('error', callback)
  request.end()
}

exports.createHook = function () {
  return {
    run: function (point, payload) {
      return new Promise(function (resolve) {
        ask(payload.text, function (error, verdict, judge, status) {
          if (error) resolve({ action: 'ask', reason: 'judge failed: ' + error.code })
          else if (verdict.labels.length) resolve({ action: 'block', reason: verdict.labels + ' says ' + judge + ' (' + status + ')' })
          else if (verdict.length > 10) resolve({ action: 'modify', payload: { text: payload.text + ' [' + verdict.length + ']' } })
          else resolve({ action: 'allow' })
        })
      })
    }
  }
}
